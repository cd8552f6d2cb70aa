//! A peer made with the official Rust SDK, as a server or a client, one role a run; docs/interop.md has the words.
mod client;
mod server;

use std::process::ExitCode;

pub type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let short: Vec<&str> = words.iter().map(String::as_str).collect();
    let outcome = match short.as_slice() {
        ["server", "stdio"] => server::over_stdio().await,
        ["server", "http"] => server::over_http().await,
        ["client", way, revision, target @ ..] if !target.is_empty() => {
            client::meet(way, revision, target).await
        }
        _ => Err("say: server stdio | server http | client stdio REVISION COMMAND ... | client http REVISION URL".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
