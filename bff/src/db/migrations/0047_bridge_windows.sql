-- The time of the block in which the payment's own chain was found past the end of its window: the relay is asked once more before the
-- payment expires. Null: it was not.
alter table bridge_looks add column window_over_ms integer;
-- The relay has answered since.
alter table bridge_looks add column is_answered integer not null default 0 check (is_answered in (0, 1));
