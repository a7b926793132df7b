// Verifies a webhook delivery from stockact. Both functions return an error if it is not valid.
//
// secret: the endpoint's secret as displayed, whsec_...
// body: the raw request body
// now: Unix time in seconds, time.Now().Unix()

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
)

const toleranceSeconds = 300

// VerifySvc checks X-SVC-Signature: t=<t>,v1=<hex>. Key: the whole secret.
// Text: <t>.<body>.
func VerifySvc(secret string, headers http.Header, body []byte, now int64) error {
	header := headers.Values("X-SVC-Signature")
	if len(header) == 0 {
		return errors.New("missing header")
	}
	var t string
	var signatures []string
	for _, part := range strings.Split(header[0], ",") {
		if strings.HasPrefix(part, "t=") {
			t = part[2:]
		} else if strings.HasPrefix(part, "v1=") {
			signatures = append(signatures, part[3:])
		}
	}
	sum := sign([]byte(secret), t+".", body)
	return check(t, now, hex.EncodeToString(sum), signatures)
}

// VerifyStandard checks webhook-signature: v1,<base64>. Key: the decoded secret.
// Text: <id>.<t>.<body>.
func VerifyStandard(secret string, headers http.Header, body []byte, now int64) error {
	id, t := headers.Values("webhook-id"), headers.Values("webhook-timestamp")
	header := headers.Values("webhook-signature")
	if len(id) == 0 || len(t) == 0 || len(header) == 0 {
		return errors.New("missing header")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return errors.New("malformed secret")
	}
	var signatures []string
	for _, entry := range strings.Split(header[0], " ") {
		if strings.HasPrefix(entry, "v1,") {
			signatures = append(signatures, entry[3:])
		}
	}
	sum := sign(key, id[0]+"."+t[0]+".", body)
	return check(t[0], now, base64.StdEncoding.EncodeToString(sum), signatures)
}

func sign(key []byte, before string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(before))
	mac.Write(body)
	return mac.Sum(nil)
}

func check(t string, now int64, expected string, signatures []string) error {
	seconds, err := strconv.ParseUint(t, 10, 40)
	if err != nil || len(signatures) == 0 {
		return errors.New("malformed header")
	}
	age := now - int64(seconds)
	if age > toleranceSeconds || age < -toleranceSeconds {
		return errors.New("timestamp out of tolerance")
	}
	for _, signature := range signatures {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return nil
		}
	}
	return errors.New("wrong signature")
}
