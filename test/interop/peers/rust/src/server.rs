//! The server: an echo, a failure, progress, a question, a call that waits to be given up, a resource and a prompt.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::*;
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ErrorData, ServerHandler, ServiceExt};
use serde_json::{Value, json};

use crate::Outcome;

#[derive(Clone, Default)]
struct Peer {
    given_up: Arc<AtomicBool>,
}

fn text(words: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(words.into())]).into()
}

fn schema(value: Value) -> JsonObject {
    value.as_object().cloned().unwrap_or_default()
}

fn inner(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn question() -> Result<ElicitRequestParams, ErrorData> {
    let requested = json!({
        "type": "object",
        "properties": { "name": { "type": "string" } },
        "required": ["name"]
    });
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "Who is there?".into(),
        requested_schema: serde_json::from_value(requested).map_err(inner)?,
    })
}

impl Peer {
    async fn steps(
        &self,
        count: u64,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let token = context.meta.get_progress_token();
        for step in 1..=count {
            let Some(token) = token.clone() else { break };
            let told = ProgressNotificationParam::new(token, step as f64).with_total(count as f64);
            context.peer.notify_progress(told).await.map_err(inner)?;
        }
        Ok(text("done"))
    }

    /// One question: a request of its own up to 2025-11-25, part of the result after that.
    async fn ask(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if let Some(answer) = request
            .input_responses
            .as_ref()
            .and_then(|all| all.get("who"))
        {
            let name = answer["content"]["name"].as_str().unwrap_or("nobody");
            return Ok(text(format!("hello {name}")));
        }
        if context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28) {
            let mut asked = InputRequests::new();
            asked.insert(
                "who".into(),
                InputRequest::Elicitation(ElicitRequest::new(question()?)),
            );
            return Ok(InputRequiredResult::new(Some(asked), None).into());
        }
        let answer = context
            .peer
            .create_elicitation(question()?)
            .await
            .map_err(inner)?;
        let content = answer.content.unwrap_or_default();
        Ok(text(format!(
            "hello {}",
            content["name"].as_str().unwrap_or("nobody")
        )))
    }

    /// The same way for a message of a model.
    #[allow(deprecated)]
    async fn sample(
        &self,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let words = |content: &Value| text(content["text"].as_str().unwrap_or("nothing"));
        if let Some(answer) = request
            .input_responses
            .as_ref()
            .and_then(|all| all.get("word"))
        {
            return Ok(words(&answer["content"]));
        }
        let params =
            CreateMessageRequestParams::new(vec![SamplingMessage::user_text("A word?")], 10);
        if context.protocol_version() >= Some(ProtocolVersion::V_2026_07_28) {
            let mut asked = InputRequests::new();
            let question = InputRequest::CreateMessage(CreateMessageRequest::new(params));
            asked.insert("word".into(), question);
            return Ok(InputRequiredResult::new(Some(asked), None).into());
        }
        let answer = context.peer.create_message(params).await.map_err(inner)?;
        let value = serde_json::to_value(&answer).map_err(inner)?;
        Ok(words(&value["content"]))
    }

    async fn wait(&self, context: &RequestContext<RoleServer>) -> CallToolResponse {
        context.ct.cancelled().await;
        self.given_up.store(true, Ordering::SeqCst);
        text("nobody reads this")
    }
}

impl ServerHandler for Peer {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        ServerConfig::new(can)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let nothing = json!({ "type": "object" });
        let said = json!({ "type": "object", "properties": { "text": { "type": "string" } }, "required": ["text"] });
        let counted = json!({ "type": "object", "properties": { "count": { "type": "integer" } } });
        let tools = [("echo", said), ("steps", counted)]
            .into_iter()
            .chain(
                ["fail", "ask", "sample", "wait", "given-up"].map(|name| (name, nothing.clone())),
            )
            .map(|(name, input)| Tool::new_with_raw(name, None, schema(input)));
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let argument = |name: &str| {
            request
                .arguments
                .as_ref()
                .and_then(|all| all.get(name))
                .cloned()
        };
        match request.name.as_ref() {
            "echo" => Ok(text(
                argument("text")
                    .as_ref()
                    .and_then(Value::as_str)
                    .unwrap_or_default(),
            )),
            "fail" => Ok(CallToolResult::error(vec![ContentBlock::text("out of paper")]).into()),
            "steps" => {
                let count = argument("count")
                    .as_ref()
                    .and_then(Value::as_u64)
                    .unwrap_or(0);
                self.steps(count, &context).await
            }
            "ask" => self.ask(&request, &context).await,
            "sample" => self.sample(&request, &context).await,
            "wait" => Ok(self.wait(&context).await),
            "given-up" => Ok(text(if self.given_up.swap(false, Ordering::SeqCst) {
                "yes"
            } else {
                "no"
            })),
            other => Err(ErrorData::invalid_params(format!("no tool {other}"), None)),
        }
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new(
            "peer://text",
            "text",
        )]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(
            ReadResourceResult::new(vec![ResourceContents::text("plain words", request.uri)])
                .into(),
        )
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(vec![Prompt::new(
            "hello",
            None::<String>,
            None,
        )]))
    }

    async fn get_prompt(
        &self,
        _request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, "Hello")]).into())
    }
}

pub async fn over_stdio() -> Outcome {
    Peer::default()
        .serve(rmcp::transport::stdio())
        .await?
        .waiting()
        .await?;
    Ok(())
}

/// Both eras at /mcp. Writes its address.
pub async fn over_http() -> Outcome {
    let peer = Peer::default();
    let service: StreamableHttpService<Peer, LocalSessionManager> = StreamableHttpService::new(
        move || Ok(peer.clone()),
        Default::default(),
        StreamableHttpServerConfig::default(),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
