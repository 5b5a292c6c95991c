package check

import (
	"time"
)

// instant is a date as seconds: midnight UTC of a day, or the time that is
// written. What is no date, which only a broken fragment can hold, is 0.
func instant(s string) int64 {
	if len(s) == len("2026-11-30") {
		return time.Date(digits(s[0:4]), time.Month(digits(s[5:7])), digits(s[8:10]), 0, 0, 0, 0, time.UTC).Unix()
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return 0
	}
	return t.Unix()
}

func digits(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}
