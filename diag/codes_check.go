package diag

// The codes of stage check.
const ()

var checkCodes = []Entry{}
