-- The merchant has taken the whole amount that came too late: it counts as if it had come in time.
alter table payments add column late_taken integer not null default 0;
-- On its way back by a transaction that is not final: it pays nothing meanwhile.
alter table payments add column refunding text not null default '0';
