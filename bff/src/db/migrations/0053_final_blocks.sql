-- The block of a final transaction that a deeper reorg may still take back; null: never, or it is too deep for that.
alter table outgoing_transactions add column recheck_block integer;

create index outgoing_transactions_recheck on outgoing_transactions (network, recheck_block) where recheck_block is not null;
