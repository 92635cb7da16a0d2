-- How much less than what is due a merchant accepts, because an exchange has kept its fee: a share in basis points, and at
-- most so many millionths of a token. Payments keep what held when they were created.
alter table merchants add column tolerance_bps integer not null default 0;
alter table merchants add column tolerance_max_micros text not null default '0';

-- What becomes of full money that comes after the window: it is reported, or it pays.
alter table merchants add column late_payments text not null default 'report' check (late_payments in ('report', 'accept'));
-- Block time up to which late money pays; null where it is only reported.
alter table payments add column accepted_until_ms integer;
alter table payments add column late_ended integer not null default 0;
create index payments_accepting on payments (is_test, network, accepted_until_ms)
  where accepted_until_ms is not null and late_ended = 0;
