-- Calls that were counted in a window, where several replicas share a database. The columns are those of rate-limiter-flexible's store for
-- PostgreSQL, in its order. SQLite's file is for one process, which counts in memory: there the table stays empty.
create table rate_limits (
  -- A keyed digest of what is counted and of whose calls, so that the database does not hold the addresses of customers.
  key text primary key,
  -- The calls.
  points integer not null,
  -- The window's end, in Unix milliseconds.
  expire integer not null
) strict, without rowid;

create index rate_limits_ended on rate_limits (expire);
