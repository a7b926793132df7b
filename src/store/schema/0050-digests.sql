-- Step 50 of the schema: digests of the other rows that are shown or give access (db/row_digest.h),
-- usable from 36. Step 51 seals the rows that there are.

ALTER TABLE event ADD COLUMN digest {blob};

{unseal event no id type filing_no publication_no created_at body};

ALTER TABLE document_version ADD COLUMN digest {blob};

{unseal document_version no document_no sha256 bytes seen_at reading content_sha256};

ALTER TABLE alert ADD COLUMN digest {blob};

{unseal alert no id account_no state pace member_no ticker chamber committee industry flagged amount_bucket
    grade created_at changed_at};

ALTER TABLE alert_person ADD COLUMN digest {blob};

{unseal alert_person account_no end_key confirm_sha256 confirm_folded confirm_until};

ALTER TABLE account_address ADD COLUMN digest {blob};

{unseal account_address email account_no};

ALTER TABLE ticker ADD COLUMN digest {blob};

{unseal ticker no symbol company industry source};

ALTER TABLE member ADD COLUMN digest {blob};

{unseal member no id slug name first_name last_name birthday listed_day};

ALTER TABLE member_name ADD COLUMN digest {blob};

{unseal member_name member_no position first_name last_name};

ALTER TABLE member_term ADD COLUMN digest {blob};

{unseal member_term member_no position chamber state district party start_day end_day
    senate_class};

ALTER TABLE committee ADD COLUMN digest {blob};

{unseal committee no id chamber};

ALTER TABLE committee_version ADD COLUMN digest {blob};

{unseal committee_version no as_of_day sha256 imported_at};

ALTER TABLE committee_listed ADD COLUMN digest {blob};

{unseal committee_listed version_no committee_no name parent_no};

ALTER TABLE committee_seat ADD COLUMN digest {blob};

{unseal committee_seat version_no committee_no member_no role chamber side rank};

ALTER TABLE committee_span ADD COLUMN digest {blob};

{unseal committee_span member_id committee_id from_day title to_day};

ALTER TABLE committee_span_list ADD COLUMN digest {blob};

{unseal committee_span_list day};

ALTER TABLE committee_span_name ADD COLUMN digest {blob};

{unseal committee_span_name committee_id from_day name};
