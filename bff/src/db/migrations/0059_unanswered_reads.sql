-- Since when no node answers for the first blocks of the range; null: it was not tried, or was answered.
alter table second_reads add column failing_since_ms integer;
-- The chain's time of the last block, or of a later one; null: of an older version, not known.
alter table second_reads add column to_time_ms integer;
alter table unmatched_second_reads add column failing_since_ms integer;
alter table unmatched_second_reads add column to_time_ms integer;
