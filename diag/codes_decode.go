package diag

// The codes of stage decode.
const ()

var decodeCodes = []Entry{}
