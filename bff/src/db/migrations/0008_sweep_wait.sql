-- Since when a sweep waits because its gas would eat too much of it; null: it does not.
alter table sweeps add column waiting_since_ms integer;
alter table payments add column sweep_waits integer not null default 0;
