package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var givenUp atomic.Bool

type said struct {
	Text string `json:"text"`
}
type counted struct {
	Count int `json:"count"`
}
type nothing struct{}

func text(words string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: words}}}
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "go-peer", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, in said) (*mcp.CallToolResult, any, error) {
		return text(in.Text), nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "fail"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("out of paper")
	})
	mcp.AddTool(server, &mcp.Tool{Name: "steps"}, func(ctx context.Context, req *mcp.CallToolRequest, in counted) (*mcp.CallToolResult, any, error) {
		for step := 1; step <= in.Count; step++ {
			params := &mcp.ProgressNotificationParams{
				ProgressToken: req.Params.GetProgressToken(),
				Progress:      float64(step),
				Total:         float64(in.Count),
			}
			if err := req.Session.NotifyProgress(ctx, params); err != nil {
				return nil, nil, err
			}
		}
		return text("done"), nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "ask"}, ask)
	mcp.AddTool(server, &mcp.Tool{Name: "sample"}, sample)
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		<-ctx.Done()
		givenUp.Store(true)
		return text("nobody reads this"), nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "given-up"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
		if givenUp.Swap(false) {
			return text("yes"), nil, nil
		}
		return text("no"), nil, nil
	})
	addDocuments(server)
	return server
}

// ask puts one question, which the SDK carries as the era has it, and tells the name that was answered.
func ask(_ context.Context, req *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	if answer, ok := req.Params.InputResponses["who"].(*mcp.ElicitResult); ok {
		return text(fmt.Sprintf("hello %v", answer.Content["name"])), nil, nil
	}
	question := &mcp.ElicitParams{
		Message: "Who is there?",
		RequestedSchema: map[string]any{
			"type":       "object",
			"properties": map[string]any{"name": map[string]any{"type": "string"}},
			"required":   []string{"name"},
		},
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"who": question}}, nil, nil
}

// sample asks for a message of a model in the same way.
func sample(_ context.Context, req *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
	if answer, ok := req.Params.InputResponses["word"].(*mcp.CreateMessageWithToolsResult); ok {
		return &mcp.CallToolResult{Content: answer.Content}, nil, nil
	}
	question := &mcp.CreateMessageParams{
		MaxTokens: 10,
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "A word?"}}},
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"word": question}}, nil, nil
}

func addDocuments(server *mcp.Server) {
	resource := &mcp.Resource{URI: "peer://text", Name: "text", MIMEType: "text/plain"}
	server.AddResource(resource, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		contents := &mcp.ResourceContents{URI: req.Params.URI, MIMEType: "text/plain", Text: "plain words"}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
	})
	server.AddPrompt(&mcp.Prompt{Name: "hello"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		message := &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: "Hello"}}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{message}}, nil
	})
}

func serveStdio(ctx context.Context) error {
	return newServer().Run(ctx, &mcp.StdioTransport{})
}

// serveHTTP has sessions at /mcp, none at /stateless (where alone this SDK speaks the newest revision), the old transport
// at /sse, and writes its address.
func serveHTTP() error {
	server := newServer()
	same := func(*http.Request) *mcp.Server { return server }
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(same, nil))
	mux.Handle("/stateless", mcp.NewStreamableHTTPHandler(same, &mcp.StreamableHTTPOptions{
		Stateless:                    true,
		PropagateRequestCancellation: true,
	}))
	mux.Handle("/sse", mcp.NewSSEHandler(same, nil))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	return http.Serve(listener, mux)
}
