-- Step 45 of the schema: the end of the lease of an e-mail on the database's clock, apart from when
-- it is due (store/account/mail_queue.h), usable from 36.

ALTER TABLE mail ADD COLUMN lease_until {int};
