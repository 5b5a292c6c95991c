package openai

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/opcat/opcat/catalog"
	"github.com/opcat/opcat/dispatch/wire"
	"github.com/opcat/opcat/operations/price"
)

// A Counter makes the canonical usage of what OpenAI's protocols count. What was
// read from and written to the cache, sound and images lie inside the input;
// reasoning and sound lie inside the output. An answer may leave out any of them.
type Counter struct {
	Input, Cached, Written, AudioIn, ImageIn catalog.Opt[int64]
	Output, Reasoning, AudioOut              catalog.Opt[int64]
	Total                                    catalog.Opt[int64]

	// Lifetimes are how much was written for how long, where that is told apart.
	Lifetimes []price.Line

	wire.Tally
}

// Read reads a count that may be absent.
func (c *Counter) Read(name string, v jsontext.Value) (n catalog.Opt[int64]) {
	if count, ok := c.Count(name, v); ok {
		n = catalog.Known(count)
	}
	return n
}

// Into states the usage. Counts that contradict each other are none. A count that
// was not given is unknown. So is what came from the cache of a row that has one, where the answer does not speak of it and
// the provider is not known to do so always.
func (c *Counter) Into(m *wire.Meta, contract *catalog.Contract, p *catalog.Provider) {
	c.input(&m.Usage)
	c.output(&m.Usage)
	c.sum()
	if m.UsageError = c.Err; c.Err != "" {
		m.Usage = price.Usage{Unknown: []string{"input_token", "output_token"}}
		return
	}
	if c.Input.IsKnown() && !c.Cached.IsKnown() && caches(contract) && !speaksOfCache(p) {
		m.Usage.Unknown = append(m.Usage.Unknown, "cache_read_token")
	}
}

func (c *Counter) input(u *price.Usage) {
	total, ok := c.Input.Get()
	if !ok {
		u.Unknown = append(u.Unknown, "input_token")
		return
	}
	u.Add("input_token", c.Inside("input tokens", total, c.Cached.Or(0), c.Written.Or(0), c.AudioIn.Or(0), c.ImageIn.Or(0)))
	add(u, "cache_read_token", c.Cached)
	add(u, "input_audio_token", c.AudioIn)
	add(u, "input_image_token", c.ImageIn)
	if len(c.Lifetimes) == 0 {
		add(u, "cache_write_token", c.Written)
	} else {
		rest := c.Written.Or(0)
		for _, l := range c.Lifetimes {
			u.Lines = append(u.Lines, l)
			rest -= l.Count
		}
		if rest != 0 && c.Err == "" {
			c.Err = "cache writes: those of each lifetime are not all of them"
		}
	}
	if c.AudioIn.Or(0) > 0 && c.Cached.Or(0) > 0 {
		u.Unknown = append(u.Unknown, "cache_read_audio_token") // whether the cached ones were sound is not said
	}
}

func (c *Counter) output(u *price.Usage) {
	total, ok := c.Output.Get()
	if !ok {
		u.Unknown = append(u.Unknown, "output_token")
		return
	}
	u.Add("output_token", c.Inside("output tokens", total, c.Reasoning.Or(0), c.AudioOut.Or(0)))
	add(u, "reasoning_token", c.Reasoning)
	add(u, "output_audio_token", c.AudioOut)
}

// sum compares the total with its parts: a server that counts reasoning outside
// of the output is found out here.
func (c *Counter) sum() {
	total, ok := c.Total.Get()
	if ok && c.Input.IsKnown() && c.Output.IsKnown() && c.Err == "" && total != c.Input.Or(0)+c.Output.Or(0) {
		c.Err = "total_tokens: it is not the sum of input and output"
	}
}

func add(u *price.Usage, meter string, n catalog.Opt[int64]) {
	if count, ok := n.Get(); ok {
		u.Add(meter, count)
	}
}

func caches(c *catalog.Contract) bool {
	t := c.TextGeneration
	return t != nil && t.Cache != nil && t.Cache.On.Or(false)
}

func speaksOfCache(p *catalog.Provider) bool {
	return p.Accounting != nil && p.Accounting.CacheUsage.Or(false)
}
