package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const stepTime = 15 * time.Second

var heard atomic.Int32

// meet does every step with our server and writes a line of JSON for each.
func meet(way, revision string, target []string) error {
	client := mcp.NewClient(&mcp.Implementation{Name: "go-peer", Version: "1.0.0"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			content := &mcp.TextContent{Text: "so be it"}
			return &mcp.CreateMessageResult{Role: "assistant", Model: "peer", Content: content}, nil
		},
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { heard.Add(1) },
	})
	var transport mcp.Transport
	switch way {
	case "stdio":
		command := exec.Command(target[0], target[1:]...)
		command.Stderr = os.Stderr
		transport = &mcp.CommandTransport{Command: command}
	case "http":
		transport = &mcp.StreamableClientTransport{Endpoint: target[0]}
	case "sse":
		transport = &mcp.SSEClientTransport{Endpoint: target[0]}
	default:
		return fmt.Errorf("no such way: %s", way)
	}
	opening, stop := context.WithTimeout(context.Background(), 2*stepTime)
	defer stop()
	if revision == "auto" {
		revision = ""
	}
	session, err := client.Connect(opening, transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		report("connect", "", err)
		return nil
	}
	report("connect", session.InitializeResult().ProtocolVersion, nil)
	for _, step := range steps {
		ctx, stop := context.WithTimeout(context.Background(), stepTime)
		report(step.name, "", step.do(ctx, session))
		stop()
	}
	report("close", "", session.Close())
	return nil
}

func report(step, revision string, err error) {
	line := map[string]any{"step": step, "ok": err == nil}
	if err != nil {
		line["why"] = err.Error()
	}
	if revision != "" {
		line["revision"] = revision
	}
	// Maps of text and truth have a JSON form.
	written, _ := json.Marshal(line)
	fmt.Println(string(written))
}

type step struct {
	name string
	do   func(context.Context, *mcp.ClientSession) error
}

var steps = []step{
	{"list", listTools},
	{"call", func(ctx context.Context, session *mcp.ClientSession) error {
		return expectText(ctx, session, "echo", map[string]any{"text": "zwölf 字"}, "zwölf 字")
	}},
	{"fail", fail},
	{"progress", progress},
	{"resources", resources},
	{"prompts", prompts},
	{"ask", answerForm},
	{"sample", func(ctx context.Context, session *mcp.ClientSession) error {
		return expectText(ctx, session, "ask_model", nil, "so be it")
	}},
	{"cancel", cancel},
}

func listTools(ctx context.Context, session *mcp.ClientSession) error {
	var names []string
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		names = append(names, tool.Name)
	}
	if !slices.Contains(names, "echo") || !slices.Contains(names, "change") {
		return fmt.Errorf("tools: %v", names)
	}
	return nil
}

func call(ctx context.Context, session *mcp.ClientSession, params *mcp.CallToolParams) (string, bool, error) {
	result, err := session.CallTool(ctx, params)
	if err != nil {
		return "", false, err
	}
	words := ""
	for _, block := range result.Content {
		if one, ok := block.(*mcp.TextContent); ok {
			words += one.Text
		}
	}
	return words, result.IsError, nil
}

func expectText(ctx context.Context, session *mcp.ClientSession, name string, args map[string]any, want string) error {
	params := &mcp.CallToolParams{Name: name}
	if args != nil {
		params.Arguments = args
	}
	got, failed, err := call(ctx, session, params)
	if err != nil {
		return err
	}
	if failed || got != want {
		return fmt.Errorf("%s gave %q (isError %v), not %q", name, got, failed, want)
	}
	return nil
}

func fail(ctx context.Context, session *mcp.ClientSession) error {
	got, failed, err := call(ctx, session, &mcp.CallToolParams{Name: "fail"})
	if err != nil {
		return err
	}
	if !failed || got != "out of paper" {
		return fmt.Errorf("fail gave %q (isError %v)", got, failed)
	}
	return nil
}

func progress(ctx context.Context, session *mcp.ClientSession) error {
	params := &mcp.CallToolParams{Name: "steps", Arguments: map[string]any{"count": 3}}
	params.SetProgressToken("steps")
	if _, _, err := call(ctx, session, params); err != nil {
		return err
	}
	if heard.Load() != 3 {
		return fmt.Errorf("heard %d of 3", heard.Load())
	}
	return nil
}

func resources(ctx context.Context, session *mcp.ClientSession) error {
	listed, err := session.ListResources(ctx, nil)
	if err != nil {
		return err
	}
	if len(listed.Resources) == 0 {
		return fmt.Errorf("no resources")
	}
	read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "table://text"})
	if err != nil {
		return err
	}
	if len(read.Contents) != 1 || read.Contents[0].Text != "plain words" {
		return fmt.Errorf("read %v", read.Contents)
	}
	return nil
}

func prompts(ctx context.Context, session *mcp.ClientSession) error {
	listed, err := session.ListPrompts(ctx, nil)
	if err != nil {
		return err
	}
	if len(listed.Prompts) == 0 {
		return fmt.Errorf("no prompts")
	}
	got, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "letter", Arguments: map[string]string{"to": "Ada"}})
	if err != nil {
		return err
	}
	if first, ok := got.Messages[0].Content.(*mcp.TextContent); !ok || first.Text != "Write to Ada, plainly." {
		return fmt.Errorf("prompt %v", got.Messages)
	}
	return nil
}

func answerForm(ctx context.Context, session *mcp.ClientSession) error {
	got, _, err := call(ctx, session, &mcp.CallToolParams{Name: "ask_form"})
	if err != nil {
		return err
	}
	var answer struct {
		Name string `json:"name"`
	}
	if json.Unmarshal([]byte(got), &answer) != nil || answer.Name != "Ada" {
		return fmt.Errorf("ask_form gave %q", got)
	}
	return nil
}

// cancel gives a call up and waits until the server says that it heard.
func cancel(ctx context.Context, session *mcp.ClientSession) error {
	calling, giveUp := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		_, err := session.CallTool(calling, &mcp.CallToolParams{Name: "wait"})
		ended <- err
	}()
	time.Sleep(300 * time.Millisecond)
	giveUp()
	if err := <-ended; err == nil {
		return fmt.Errorf("the call that was given up gave a result")
	}
	last := ""
	for ctx.Err() == nil {
		got, _, err := call(ctx, session, &mcp.CallToolParams{Name: "memory"})
		if err != nil {
			return err
		}
		var memory struct {
			Cancelled int `json:"cancelled"`
		}
		if json.Unmarshal([]byte(got), &memory) == nil && memory.Cancelled > 0 {
			return nil
		}
		last = got
		time.Sleep(100 * time.Millisecond)
	}
	return fmt.Errorf("the server did not hear: %s", last)
}
