-- Step 7 of the schema: nothing ever wrote former symbols here. They are in data/ticker_renames.csv.

DROP TABLE ticker_alias;
