-- How far a test payment's clock is ahead of ours. No row: not at all.
create table test_clocks (
  payment_id text primary key references payments (id),
  ahead_ms integer not null
) strict, without rowid;

-- Test payments that are still open, for the worker that ends them: at most what was created within about an hour.
create index open_test_payments on payments (window_ends_at_ms) where is_test = 1 and status = 'pending';
