package picker

import "strings"

// members calls f for each member of an object in the catalog's own text, but for the
// operations of a row and what stands behind them, which nobody asks for here. The text is
// canonical: nothing stands between tokens, and no name needs an escape.
func members(text string, f func(name, value string)) {
	for i := 1; i < len(text)-1; {
		name := text[i+1 : i+1+strings.IndexByte(text[i+1:], '"')]
		start := i + len(name) + len(`"":`)
		if name == "operations" {
			return
		}
		end := after(text, start)
		f(name, text[start:end])
		i = end + len(",")
	}
}

// items calls f for each item of an array.
func items(text string, f func(value string)) {
	for i := 1; i < len(text)-1; {
		end := after(text, i)
		f(text[i:end])
		i = end + len(",")
	}
}

// after is the place behind the value that starts at i.
func after(text string, i int) int {
	depth := 0
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = closing(text, i)
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth--; depth < 0 {
				return i // the end of what a number or word stands in
			}
		case ',':
			if depth == 0 {
				return i
			}
			continue
		default:
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return i
}

// closing is the quote that ends the string which starts at i.
func closing(text string, i int) int {
	for i++; ; i++ {
		n := strings.IndexByte(text[i:], '"')
		if escape := strings.IndexByte(text[i:i+n], '\\'); escape < 0 {
			return i + n
		} else {
			i += escape + 1
		}
	}
}
