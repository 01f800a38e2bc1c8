# SPDX-License-Identifier: MIT
"""Databases of other tools, spoiled in several ways.

    foreign_hostile.py FILE...     writes FILE.WAY beside each
"""
import random
import shutil
import sqlite3
import sys


def tables(db):
    return [(name, [column[1] for column in db.execute('PRAGMA table_info("%s")' % name)])
            for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            .fetchall()]


def other(chance, value):
    """What no reader expects in a cell."""
    return chance.choice([None, "text", "", "\0", "-1", 1.5, float("inf"), -1, 0, 1 << 62, -(1 << 63), (1 << 63) - 1,
                          b"", b"\xff\0\xfe", bytes(100000), "\ud7ff" * 1000, value, value, value])


def types(db):
    chance = random.Random(7)
    for name, columns in tables(db):
        for row in db.execute('SELECT rowid, * FROM "%s"' % name).fetchall():
            for column, value in zip(columns, row[1:]):
                try:
                    db.execute('UPDATE "%s" SET "%s" = ? WHERE rowid = ?' % (name, column), (other(chance, value), row[0]))
                except sqlite3.Error:
                    pass    # its own number


def views(db):
    """In place of each table a view that never ends."""
    for name, columns in tables(db):
        db.execute('ALTER TABLE "%s" RENAME TO "was_%s"' % (name, name))
        db.execute('CREATE VIEW "%s" AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT %s FROM n'
                   % (name, ", ".join('i AS "%s"' % column for column in columns)))


def triggers(db):
    """What would empty the tables if anything were written, and columns that work something out."""
    for number, (name, columns) in enumerate(tables(db)):
        db.execute('CREATE TRIGGER "t%d" AFTER UPDATE ON "%s" BEGIN DELETE FROM "%s"; END' % (number, name, name))
        db.execute('CREATE INDEX "i%d" ON "%s" ("%s")' % (number, name, columns[0]))


def columns(db):
    """Every second column has another name."""
    for name, all_columns in tables(db):
        for column in all_columns[1::2]:
            db.execute('ALTER TABLE "%s" RENAME COLUMN "%s" TO "was_%s"' % (name, column, column))


def generated(db):
    """Columns that make a large blob of each row."""
    for name, _ in tables(db):
        try:
            db.execute('ALTER TABLE "%s" ADD COLUMN "value" GENERATED ALWAYS AS (zeroblob(1000000000)) VIRTUAL' % name)
        except sqlite3.Error:
            pass    # it has one of that name


for path in sys.argv[1:]:
    for way in (types, views, triggers, columns, generated):
        made = "%s.%s" % (path, way.__name__)
        shutil.copy(path, made)
        spoiled = sqlite3.connect(made)
        way(spoiled)
        spoiled.commit()
        spoiled.close()
