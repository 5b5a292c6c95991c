package diag

// The codes of stage migrate about rules.
const ()

var migrateRuleCodes = []Entry{}
