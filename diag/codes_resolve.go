package diag

// The codes of stage resolve.
const ()

var resolveCodes = []Entry{}
