-- How much less than what is due a merchant accepts, because an exchange has kept its fee: a share in basis points, and at
-- most so many millionths of a token. Payments keep what held when they were created.
alter table merchants add column tolerance_bps integer not null default 0;
alter table merchants add column tolerance_max_micros text not null default '0';
