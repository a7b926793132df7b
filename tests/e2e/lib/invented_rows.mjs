// A row of an invented House report and one of an invented Senate report, as the makers of documents
// (house_pdf.mjs, senate_page.mjs) take them.

export const HOUSE_ROW = {
  owner: 'SP',
  asset: 'Harbor Tools (HRBR) [ST]',
  type: 'P',
  date: '01/02/2025',
  notified: '01/03/2025',
  amount: '$1,001 - $15,000',
  status: 'New',
};

export const SENATE_ROW = { date: '01/02/2024', ticker: 'HRBR', asset: 'Harbor Tools' };
