package diag

import "slices"

// The codes of stage migrate: what format 0 says of providers and rows, and what
// it says in rules.
var migrateCodes = slices.Concat(migrateRowCodes, migrateRuleCodes)
