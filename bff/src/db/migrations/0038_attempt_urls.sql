-- Where the attempt was sent: the endpoint's URL may change afterwards. Null: it was made before this column.
alter table attempts add column url text;
