package diag

// The codes of stage migrate.
const ()

var migrateCodes = []Entry{}
