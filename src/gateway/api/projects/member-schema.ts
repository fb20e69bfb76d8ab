import { objectSchema } from '../../http/object-schema.ts';

const memberSuggestionSchema = objectSchema({
  title: 'MemberSuggestion',
  properties: {
    id: { type: 'integer', description: 'Id of the user' },
    username: { type: 'string' },
    name: { type: 'string' },
  },
});

export const memberSuggestionsSchema = { type: 'array', items: memberSuggestionSchema } as const;
