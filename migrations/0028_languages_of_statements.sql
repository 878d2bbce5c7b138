-- In which language the items were read. Null, of rows from before, is that of the parameters. One test is never in two languages.
alter table assessments add language text;
alter table volunteers add language text;
