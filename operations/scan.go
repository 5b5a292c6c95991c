package operations

import "math/bits"

// A scan is where a plan stands in the routes of its space.
type scan struct {
	at   int    // the next word; of a provider's list, the next route
	word uint64 // routes of the word before that are still to come
	free uint64 // and which of them give what is wanted whatever else is
	sum  int    // the next word of the summary
	some uint64 // words of the summary's word before that are still to come
}

// next is the next route that is in all sets; -1 if there is none.
func (p *plan) next() int {
	if p.none {
		return -1
	}
	if p.one {
		return p.nextServed()
	}
	for p.word == 0 {
		if p.s.sums > 0 && !p.nextSummed() || p.s.sums == 0 && !p.nextWord() {
			return -1
		}
	}
	route := (p.at-1)<<6 + bits.TrailingZeros64(p.word)
	p.word &= p.word - 1
	return route
}

// and is one word of the sets' intersection.
func (p *plan) and(at int) uint64 {
	w, sets := p.s.w[at:], p.sets[:p.nSets]
	m := w[sets[0]]     // a route is at least served
	for len(sets) > 2 { // two at a time take half the steps
		m &= w[sets[1]] & w[sets[2]]
		sets = sets[2:]
	}
	if len(sets) > 1 {
		m &= w[sets[1]]
	}
	return m
}

// nextWord goes to the next word that is not empty.
func (p *plan) nextWord() bool {
	for at := p.at; at < p.s.words; at++ {
		if word := p.and(at); word != 0 {
			p.take(at, word)
			return true
		}
	}
	p.at = p.s.words
	return false
}

// take notes where the word is, and which of its routes are free.
func (p *plan) take(at int, word uint64) {
	p.word, p.at = word, at+1
	w, m := p.s.w[at:], ^uint64(0)
	for _, place := range p.frees[:p.nFrees] {
		m &= w[place]
	}
	p.free = m
}

// nextSummed goes to the next word that no summary calls empty.
func (p *plan) nextSummed() bool {
	for p.some == 0 {
		if p.sum == p.s.sums {
			return false
		}
		p.some = p.and(p.s.words + p.sum)
		p.sum++
	}
	p.at = (p.sum-1)<<6 + bits.TrailingZeros64(p.some)
	p.some &= p.some - 1
	p.take(p.at, p.and(p.at))
	return true
}

// nextServed goes through the routes of the one provider.
func (p *plan) nextServed() int {
next:
	for p.at < len(p.served) {
		route := int(p.served[p.at])
		p.at++
		for _, place := range p.sets[:p.nSets] {
			if !p.s.has(uint64(place), route) {
				continue next
			}
		}
		return route
	}
	return -1
}
