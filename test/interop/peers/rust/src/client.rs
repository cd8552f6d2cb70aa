//! The client: does every step with our server and writes a line of JSON for each.
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::model::*;
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt, NotificationContext, PeerRequestOptions, RequestContext,
    RoleClient, RunningService,
};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ErrorData};
use serde_json::{Value, json};

use crate::Outcome;

const STEP: Duration = Duration::from_secs(15);

struct Peer {
    heard: Arc<AtomicUsize>,
    revision: ProtocolVersion,
}

impl ClientHandler for Peer {
    fn get_info(&self) -> ClientConfig {
        let can = ClientCapabilities::builder()
            .enable_elicitation()
            .enable_sampling()
            .build();
        let mut info = ClientConfig::new(can, Implementation::new("rust-peer", "1.0.0"));
        info.protocol_version = self.revision.clone();
        info
    }

    async fn create_elicitation(
        &self,
        _request: ElicitRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "name": "Ada" })))
    }

    #[allow(deprecated)]
    async fn create_message(
        &self,
        _params: CreateMessageRequestParams,
        _context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let content = SamplingMessageContentBlock::text("so be it");
        let message = SamplingMessage::new(Role::Assistant, content);
        Ok(CreateMessageResult::new(message, "peer".into()))
    }

    async fn on_progress(
        &self,
        _params: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.heard.fetch_add(1, Ordering::SeqCst);
    }
}

type Session = RunningService<RoleClient, Peer>;

pub async fn meet(way: &str, revision: &str, target: &[&str]) -> Outcome {
    let newest = ProtocolVersion::V_2026_07_28;
    let revision = if revision == "auto" {
        newest.clone()
    } else {
        serde_json::from_value(json!(revision))?
    };
    let heard = Arc::new(AtomicUsize::new(0));
    let peer = Peer {
        heard: heard.clone(),
        revision: revision.clone(),
    };
    let lifecycle = if revision >= newest {
        ClientLifecycleMode::Auto {
            preferred_versions: vec![revision],
            legacy_version: None,
        }
    } else {
        ClientLifecycleMode::Initialize
    };
    let opened = match way {
        "stdio" => {
            let mut command = tokio::process::Command::new(target[0]);
            command.args(&target[1..]);
            peer.serve_with_lifecycle(TokioChildProcess::new(command)?, lifecycle)
                .await
        }
        "http" => {
            let transport = StreamableHttpClientTransport::from_uri(target[0].to_string());
            peer.serve_with_lifecycle(transport, lifecycle).await
        }
        other => return Err(format!("no such way: {other}").into()),
    };
    let session = match opened {
        Ok(session) => session,
        Err(error) => {
            report("connect", Err(error.into()), None);
            return Ok(());
        }
    };
    let agreed = session
        .peer_info()
        .map(|info| info.protocol_version.to_string());
    report("connect", Ok(()), agreed);
    report("list", timed(list_tools(&session)).await, None);
    report("call", timed(call(&session)).await, None);
    report("fail", timed(fail(&session)).await, None);
    report("progress", timed(progress(&session, &heard)).await, None);
    report("resources", timed(resources(&session)).await, None);
    report("prompts", timed(prompts(&session)).await, None);
    report("ask", timed(ask(&session)).await, None);
    report("sample", timed(sample(&session)).await, None);
    report("cancel", timed(cancel(&session)).await, None);
    let closed = session.cancel().await.map(|_| ()).map_err(Into::into);
    report("close", closed, None);
    Ok(())
}

async fn timed(step: impl Future<Output = Outcome>) -> Outcome {
    tokio::time::timeout(STEP, step)
        .await
        .unwrap_or_else(|_| Err("took too long".into()))
}

fn report(step: &str, outcome: Outcome, revision: Option<String>) {
    let mut line = json!({ "step": step, "ok": outcome.is_ok() });
    if let Err(why) = outcome {
        line["why"] = json!(why.to_string());
    }
    if let Some(revision) = revision {
        line["revision"] = json!(revision);
    }
    println!("{line}");
}

fn expect(fine: bool, what: impl std::fmt::Debug) -> Outcome {
    if fine {
        Ok(())
    } else {
        Err(format!("{what:?}").into())
    }
}

fn named(name: &'static str, arguments: Value) -> CallToolRequestParams {
    let params = CallToolRequestParams::new(name);
    match arguments.as_object() {
        Some(all) => params.with_arguments(all.clone()),
        None => params,
    }
}

fn text_of(result: &CallToolResult) -> String {
    result
        .content
        .iter()
        .filter_map(|block| block.as_text().map(|text| text.text.clone()))
        .collect()
}

async fn list_tools(session: &Session) -> Outcome {
    let names: Vec<String> = session
        .list_all_tools()
        .await?
        .into_iter()
        .map(|tool| tool.name.to_string())
        .collect();
    let has = |name: &str| names.iter().any(|one| one == name);
    expect(has("echo") && has("change"), &names)
}

async fn call(session: &Session) -> Outcome {
    let result = session
        .call_tool(named("echo", json!({ "text": "zwölf 字" })))
        .await?;
    expect(
        result.is_error != Some(true) && text_of(&result) == "zwölf 字",
        &result,
    )
}

async fn fail(session: &Session) -> Outcome {
    let result = session.call_tool(named("fail", Value::Null)).await?;
    expect(
        result.is_error == Some(true) && text_of(&result) == "out of paper",
        &result,
    )
}

async fn progress(session: &Session, heard: &AtomicUsize) -> Outcome {
    session
        .call_tool(named("steps", json!({ "count": 3 })))
        .await?;
    // The notifications are taken in by tasks of their own.
    while heard.load(Ordering::SeqCst) < 3 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    expect(heard.load(Ordering::SeqCst) == 3, heard)
}

async fn resources(session: &Session) -> Outcome {
    expect(
        !session.list_all_resources().await?.is_empty(),
        "no resources",
    )?;
    let read = session
        .read_resource(ReadResourceRequestParams::new("table://text"))
        .await?;
    let first = serde_json::to_value(&read.contents)?[0]["text"].clone();
    expect(first == "plain words", &read)
}

async fn prompts(session: &Session) -> Outcome {
    expect(!session.list_all_prompts().await?.is_empty(), "no prompts")?;
    let mut params = GetPromptRequestParams::new("letter");
    params.arguments = json!({ "to": "Ada" }).as_object().cloned();
    let got = session.get_prompt(params).await?;
    let first = serde_json::to_value(&got.messages)?[0]["content"]["text"].clone();
    expect(first == "Write to Ada, plainly.", &got)
}

async fn ask(session: &Session) -> Outcome {
    let result = session.call_tool(named("ask_form", Value::Null)).await?;
    let answer: Value = serde_json::from_str(&text_of(&result))?;
    expect(answer["name"] == "Ada", &result)
}

async fn sample(session: &Session) -> Outcome {
    let result = session.call_tool(named("ask_model", Value::Null)).await?;
    expect(text_of(&result) == "so be it", &result)
}

/// Gives a call up and waits until the server says that it heard.
async fn cancel(session: &Session) -> Outcome {
    let request = ClientRequest::CallToolRequest(CallToolRequest::new(named("wait", Value::Null)));
    let calling = session
        .send_cancellable_request(request, PeerRequestOptions::no_options())
        .await?;
    tokio::time::sleep(Duration::from_millis(300)).await;
    calling.cancel(Some("changed my mind".into())).await?;
    loop {
        let memory = text_of(&session.call_tool(named("memory", Value::Null)).await?);
        let told: Value = serde_json::from_str(&memory)?;
        if told["cancelled"].as_u64().unwrap_or(0) > 0 {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}
