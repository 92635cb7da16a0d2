-- The webhook-signature header of the attempt. Null: nothing was posted, or it was posted before this column.
alter table attempts add column signature text;
