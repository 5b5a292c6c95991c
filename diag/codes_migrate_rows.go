package diag

// The codes of stage migrate about providers, rows and what names them.
const ()

var migrateRowCodes = []Entry{}
