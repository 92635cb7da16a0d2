-- The newest transfer of a payment is asked for with each one that comes: however many there are, it is one step.
create index transfers_newest on transfers (payment_id, block_number, log_index);
drop index transfers_by_payment;
