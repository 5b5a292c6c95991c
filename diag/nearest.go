package diag

import "strings"

// Nearest gives the candidate that a misspelt word most likely meant: the one
// at the smallest edit distance (a swap of neighbours counts as one), if that is
// at most a third of the word. Ties go to the first candidate.
func Nearest(word string, candidates []string) (string, bool) {
	best, dist := "", len(word)/3+1
	if len(word) < 3 {
		dist = 2
	}
	for _, c := range candidates {
		if c == word {
			continue
		}
		if strings.EqualFold(c, word) {
			return c, true
		}
		if diff := len(c) - len(word); diff >= dist || -diff >= dist {
			continue
		}
		if d := distance(word, c, dist); d < dist {
			best, dist = c, d
		}
	}
	return best, best != ""
}

// distance is the optimal string alignment distance of two words, in bytes; where it
// is the limit or more, it may be any number from there on.
func distance(a, b string, limit int) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) == 0 || len(b) == 0 {
		return len(a) + len(b)
	}
	n := len(b) + 1
	var room [3 * 64]int
	rows := room[:]
	if 3*n > len(rows) {
		rows = make([]int, 3*n)
	}
	prev2, prev, cur := rows[:n], rows[n:2*n], rows[2*n:3*n]
	for j := range prev {
		prev[j] = j
	}
	least := 0 // of the last row; no way passes two rows by
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		before := least
		least = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
			least = min(least, cur[j])
		}
		if least >= limit && before >= limit {
			return limit
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
