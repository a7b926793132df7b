-- Step 49 of the schema: digests of the rows that give access (db/row_digest.h), usable from 36. An
-- older program does not notice the triggers. The program seals the rows that there are.

ALTER TABLE account ADD COLUMN digest {blob};

{unseal account no id email plan role created_at disabled_at password_hash deleted_at password_at
    totp_at totp_step totp_sealed totp_pending confirmed_at email_folded};

ALTER TABLE api_key ADD COLUMN digest {blob};

{unseal api_key no id account_no sha256 prefix name created_at revoked_at};

ALTER TABLE session ADD COLUMN digest {blob};

{unseal session no id created_at seen_at expires_at proved_at place browser account_no sha256};

ALTER TABLE token ADD COLUMN digest {blob};

{unseal token no account_no email password_hash plan role by_id tries created_at expires_at used_at
    sha256 purpose email_folded};

ALTER TABLE recovery_code ADD COLUMN digest {blob};

{unseal recovery_code no account_no sha256 created_at used_at};

ALTER TABLE endpoint ADD COLUMN digest {blob};

{unseal endpoint no id account_no url secret_sealed old_secret_sealed old_secret_until state
    created_at changed_at events description gone};
