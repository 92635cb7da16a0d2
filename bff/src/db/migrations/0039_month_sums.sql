-- How often payments of the row have changed: what was added up of them before is old.
alter table payment_sums add column changes integer not null default 0;

-- What the month's report adds up of the payments that were created in a quarter of an hour. A report computes the quarters that are
-- missing or old, and keeps them here. Rows of other tokens are those of unmatched transfers that went back.
create table month_sums (
  merchant_id text not null references merchants (id),
  is_test integer not null check (is_test in (0, 1)),
  -- As in payment_sums.
  quarter integer not null,
  network text not null,
  currency text not null,
  token_decimals integer not null,
  -- The sum of payment_sums.changes of the quarter when its payments were read: the rows are old when it has grown.
  changes integer not null,
  payments integer not null,
  paid integer not null,
  -- Base units.
  received text not null,
  received_late text not null,
  merchant_amount text not null,
  platform_fee text not null,
  paid_out text not null,
  refunded text not null,
  owed_to_payer text not null,
  returned text not null,
  primary key (merchant_id, is_test, quarter, network, currency, token_decimals)
) strict, without rowid;
