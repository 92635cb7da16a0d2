-- Pages of a merchant's payments of one status, newest first, from wherever the page before ended. `payments_by_creation` has those of all.
create index payments_by_status on payments (merchant_id, is_test, status, created_at_ms, number);

-- What people search by. Transactions and deposit addresses have their indexes.
create index payments_by_order on payments (merchant_id, order_id, number) where order_id is not null;
create index payments_by_email on payments (merchant_id, lower(customer_email), number) where customer_email is not null;
create index transfers_by_payer on transfers (lower(payer));
