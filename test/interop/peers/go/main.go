// A peer made with the official Go SDK, as a server or a client, one role a run; docs/interop.md has the words.
package main

import (
	"context"
	"fmt"
	"os"
)

func main() {
	words := os.Args[1:]
	if len(words) < 2 {
		stop("say: server stdio | server http | client stdio REVISION COMMAND ... | client http|sse REVISION URL")
	}
	role, way := words[0], words[1]
	var err error
	switch {
	case role == "server" && way == "stdio":
		err = serveStdio(context.Background())
	case role == "server" && way == "http":
		err = serveHTTP()
	case role == "client" && len(words) > 3:
		err = meet(way, words[2], words[3:])
	default:
		err = fmt.Errorf("no such role: %v", words)
	}
	if err != nil {
		stop(err.Error())
	}
}

func stop(why string) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(1)
}
