export const WORKER_FILES: Record<string, string> = {
  'services/worker/go.mod': `module shop/worker

go 1.24

require (
	github.com/jackc/pgx/v5 v5.7.6
	golang.org/x/image v0.31.0
)
`,
  'services/worker/cmd/worker/main.go': `package main

import (
	"log/slog"

	"shop/worker/internal/queue"
)

func main() {
	slog.Info("worker started")
	queue.Run()
}
`,
  'services/worker/internal/queue/queue.go': `package queue

import (
	"shop/worker/internal/feed"
	"shop/worker/internal/images"
	"shop/worker/internal/mail"
)

func Run() {
	for job := range take() {
		handle(job)
	}
}

func handle(job Job) {
	switch job.Kind {
	case "image":
		images.Resize(job.Payload)
	case "feed":
		feed.Import(job.Payload)
	case "mail":
		mail.SendReceipt(job.Payload)
	}
}
`,
  'services/worker/internal/images/resize.go': `package images

import "golang.org/x/image/draw"

func Resize(source []byte) []byte {
	picture := decode(source)
	for _, width := range []int{160, 480, 1200} {
		store(draw.CatmullRom, picture, width)
	}
	return source
}
`,
  'services/worker/internal/feed/parse.go': `package feed

import (
	"log/slog"
	"strings"
)

func Import(payload []byte) {
	for number, row := range strings.Split(string(payload), "\\n") {
		product, err := parseRow(row)
		if err != nil {
			slog.Warn("feed row skipped", "row", number)
			continue
		}
		save(product)
	}
}
`,
  'services/worker/internal/mail/receipt.go': `package mail

import "log/slog"

func SendReceipt(payload []byte) {
	if err := send(render(payload)); err != nil {
		slog.Error("the receipt could not be delivered", "reason", err)
	}
}
`,
  'services/worker/internal/mail/subjects.go': `package mail

var subjects = map[string]string{
	"en": "Your order",
	"nl": "Je bestelling",
}
`,
}
