// WEBHOOK_SECRET=whsec_... go run verify.go command.go svc|standard HEADERS BODY [NOW]
// Verifies one delivery saved in two files. Exits 0 if it is valid, 1 with the reason if not.

package main

import (
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	schemes := map[string]func(string, http.Header, []byte, int64) error{
		"svc": VerifySvc, "standard": VerifyStandard,
	}
	secret := os.Getenv("WEBHOOK_SECRET")
	if len(os.Args) < 4 || len(os.Args) > 5 || schemes[os.Args[1]] == nil || secret == "" {
		fail(2, "usage: WEBHOOK_SECRET=whsec_... command svc|standard HEADERS BODY [NOW]")
	}
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		fail(2, err)
	}
	body, err := os.ReadFile(os.Args[3])
	if err != nil {
		fail(2, err)
	}
	headers := http.Header{}
	for _, line := range strings.Split(string(text), "\n") {
		if name, value, found := strings.Cut(line, ":"); found {
			headers.Add(name, strings.TrimSpace(value))
		}
	}
	now := time.Now().Unix()
	if len(os.Args) == 5 {
		if now, err = strconv.ParseInt(os.Args[4], 10, 64); err != nil {
			fail(2, err)
		}
	}
	if err := schemes[os.Args[1]](secret, headers, body, now); err != nil {
		fail(1, err)
	}
}

func fail(status int, reason any) {
	fmt.Fprintln(os.Stderr, reason)
	os.Exit(status)
}
