-- Why a payment was ended by hand, in the words of who ended it.
alter table payments add column close_reason text;
