package edit

import (
	"bytes"
	"slices"
)

// Diff gives the splices of whole lines that turn one text into another. Lines that
// stand once in both keep their place; between them the texts are compared from both
// ends. So the splices are few and small where most lines stay, if not always the fewest.
func Diff(old, wanted []byte) []Splice {
	a, b := bytes.SplitAfter(old, []byte("\n")), bytes.SplitAfter(wanted, []byte("\n"))
	var out []Splice
	at, i, j := 0, 0, 0
	for _, m := range append(anchors(a, b), [2]int{len(a), len(b)}) {
		out, at = between(out, at, a[i:m[0]], b[j:m[1]])
		if m[0] < len(a) {
			at += len(a[m[0]])
		}
		i, j = m[0]+1, m[1]+1
	}
	return out
}

// between turns some lines into others: what they share at their ends stays.
func between(out []Splice, at int, a, b [][]byte) ([]Splice, int) {
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[0], b[0]) {
		at += len(a[0])
		a, b = a[1:], b[1:]
	}
	end := 0
	for len(a) > 0 && len(b) > 0 && bytes.Equal(a[len(a)-1], b[len(b)-1]) {
		end += len(a[len(a)-1])
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	old, wanted := string(bytes.Join(a, nil)), string(bytes.Join(b, nil))
	if old != "" || wanted != "" {
		out = append(out, Splice{at, old, wanted})
	}
	return out, at + len(old) + end
}

// anchors pairs lines that stand once in each text, as many as keep their order.
func anchors(a, b [][]byte) [][2]int {
	type seen struct{ a, b, n, m int }
	lines := map[string]*seen{}
	for i, l := range a {
		s := lines[view(l)]
		if s == nil {
			s = &seen{}
			lines[view(l)] = s
		}
		s.a, s.n = i, s.n+1
	}
	for i, l := range b {
		if s := lines[view(l)]; s != nil {
			s.b, s.m = i, s.m+1
		}
	}
	var pairs [][2]int // by their place in b
	for i, l := range b {
		if s := lines[view(l)]; s != nil && s.n == 1 && s.m == 1 {
			pairs = append(pairs, [2]int{s.a, i})
		}
	}
	// The longest run of pairs that rises in a too.
	ends := []int{}                   // the pair that each length of run ends with
	before := make([]int, len(pairs)) // the pair before each in its run
	for i, p := range pairs {
		n, _ := slices.BinarySearchFunc(ends, p[0], func(e, at int) int { return pairs[e][0] - at })
		before[i] = -1
		if n > 0 {
			before[i] = ends[n-1]
		}
		if n == len(ends) {
			ends = append(ends, i)
		} else {
			ends[n] = i
		}
	}
	var out [][2]int
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			out = append(out, pairs[i])
		}
	}
	slices.Reverse(out)
	return out
}
