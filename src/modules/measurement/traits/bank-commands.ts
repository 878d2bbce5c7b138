import { addStatements } from './banks/add-statements.ts';
import { deleteBank } from './banks/delete-bank.ts';
import { summariseExport } from './banks/export-bank.ts';
import { linkForms } from './banks/link-forms.ts';
import { simulateDesign, summariseDesign } from './banks/simulate-design.ts';
import { addLanguage } from './calibration/add-language.ts';
import { takeUpStatements } from './calibration/take-up-statements.ts';
import { reportBank, summariseReport } from './report/report-bank.ts';

/** What only the command line does with banks. */
export const bankCommands = {
  addLanguage,
  addStatements,
  deleteBank,
  linkForms,
  reportBank,
  simulateDesign,
  summariseDesign,
  summariseExport,
  summariseReport,
  takeUpStatements,
};
