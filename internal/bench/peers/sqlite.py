"""Finds the ten cheapest text routes with five constraints in SQLite, in memory, as
often as it is told: one prepared query over an index that covers it.

The argument is a file of routes, one a line: its place in the order of price, then
text, tools, context, declared, lasts and id, between tabs.

Each line read is a number of queries; the answer is their CPU time in nanoseconds, what
Python takes to ask and to read the rows included. The first answer is the version of
the library, with the ids that the query finds.
"""
import csv
import sqlite3
import sys
import time

db = sqlite3.connect(":memory:")
db.execute("create table route (price integer, text integer, tools integer, context integer, declared integer, lasts integer, id text)")
with open(sys.argv[1], newline="") as routes:
    db.executemany("insert into route values (?, ?, ?, ?, ?, ?, ?)", csv.reader(routes, delimiter="\t"))
db.execute("create index cheapest on route (price, text, tools, context, declared, lasts, id)")
db.execute("analyze")
query = "select id from route where text = 1 and tools = 1 and context >= ? and declared = 1 and lasts = 1 order by price limit 10"


def select():
    return db.execute(query, (32768,)).fetchall()


print(sqlite3.sqlite_version, *(row[0] for row in select()), flush=True)
for line in sys.stdin:
    start = time.process_time_ns()
    for _ in range(int(line)):
        select()
    print(time.process_time_ns() - start, flush=True)
