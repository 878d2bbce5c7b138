-- Explanations contain other facts than before. They are generated again when someone asks.
delete from match_explanations;
