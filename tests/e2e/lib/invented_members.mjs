// Invented members of Congress, in the format of `stockact members import`.

/** The text of the file. People: {id, first, last, chamber, state, district, party, start, end};
 *  affiliations, with start, end and party each, inside the term. */
export function membersJson(people) {
  return JSON.stringify(
    people.map((person) => ({
      id: { bioguide: person.id },
      name: {
        first: person.first,
        last: person.last,
        official_full: `${person.first} ${person.last}`,
      },
      bio: { birthday: '1960-02-03', gender: 'F' },
      terms: [
        {
          type: person.chamber === 'senate' ? 'sen' : 'rep',
          start: person.start ?? '2011-01-03',
          end: person.end ?? '2031-01-03',
          state: person.state,
          ...(person.chamber === 'senate' ? {} : { district: person.district }),
          party: person.party ?? 'Independent',
          ...(person.affiliations ? { party_affiliations: person.affiliations } : {}),
        },
      ],
    })),
  );
}

/** The default filers of the generated reports. */
export const VALE = {
  id: 'V000901',
  first: 'Robin',
  last: 'Vale',
  chamber: 'house',
  state: 'CA',
  district: 7,
};
export const HOLLIS = {
  id: 'H000902',
  first: 'Dana',
  last: 'Hollis',
  chamber: 'senate',
  state: 'OR',
};
