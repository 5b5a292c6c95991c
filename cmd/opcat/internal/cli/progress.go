package cli

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// A progress is one line on a terminal that says how far long work is. It begins
// after a while, so that short work shows none, and is gone when the work ends.
type progress struct {
	mu    sync.Mutex
	w     io.Writer // nil where nobody looks
	tool  string
	line  string      // what is under way
	due   *time.Timer // shows the line; nil when there is no work
	shown bool
}

// When a line appears, and how often it changes.
const (
	progressAfter = 500 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// Progress says how far the command is: done of all, and what is under way. It shows
// on stderr where that is a terminal and the answer is for a person, and nowhere else.
// With all 0 the work is done.
func (inv *Invocation) Progress(done, all int, what string) { inv.progress.say(done, all, what) }

func (p *progress) say(done, all int, what string) {
	if p == nil || p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if all == 0 {
		p.clear()
		return
	}
	p.line = fmt.Sprintf("%s: %d of %d, %s", p.tool, done, all, clip(visible(what), maxCell))
	if p.due == nil {
		// A timer, since the first step may be the long one.
		p.due = time.AfterFunc(progressAfter, p.show)
	}
}

// show writes the line of now, and looks again after a while.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.due == nil {
		return
	}
	if p.line != "" {
		_, _ = io.WriteString(p.w, "\r\x1b[K"+p.line)
		p.line, p.shown = "", true
	}
	p.due.Reset(progressEvery)
}

// clear takes the line away. It also ends what a command that failed left.
func (p *progress) clear() {
	if p.due != nil {
		p.due.Stop()
		p.due = nil
	}
	if p.shown {
		_, _ = io.WriteString(p.w, "\r\x1b[K")
		p.shown = false
	}
}
