-- What the sweep paid to merchant and platform together, in base units. Null: not swept, or by a version that did not store it.
alter table payments add column swept_amount text;

-- Sums that reports keep were added up without it.
delete from month_sums;
