-- Step 46 of the schema: instants of the future that were moved before now (store/public/redate.h),
-- usable from 36.

CREATE TABLE redated (
    no {id},
    old_at {int} NOT NULL,
    new_at {int} NOT NULL,
    at {int} NOT NULL,
    reason {text} NOT NULL
) {strict};

{append_only redated};
