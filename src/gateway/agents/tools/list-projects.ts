import { agentTool } from '../agent-tool.ts';
import { AgentAnswer } from '../texts/agent-answer.ts';
import { projectsOf, withAccess } from '../visible-projects.ts';
import { limit } from './arguments.ts';

export const listProjects = agentTool({
  name: 'list_projects',
  title: 'List projects',
  description:
    'Projects of the user, by path, with where their errors are: integrated, tracker (an external one) or off.',
  input: {
    type: 'object',
    properties: {
      query: { type: 'string', maxLength: 200, description: 'Part of the path' },
      limit,
      page: { type: 'integer', minimum: 1, maximum: 1_000_000 },
    },
    required: [],
    additionalProperties: false,
  },
  output: { projects: { type: 'array', items: { type: 'object' } } },
  async run(call, { query = '', limit: size = 20, page = 1 }) {
    const wanted = query.toLowerCase();
    const all = (await projectsOf(call)).filter(({ path }) => path.toLowerCase().includes(wanted));
    const [from, to] = [(page - 1) * size, page * size];
    const shown = await withAccess(call, all.slice(from, to));
    const answer = new AgentAnswer('list_projects with a smaller limit');
    answer.fact(all.length === 0 ? 'No projects.' : `${all.length} projects:`);
    for (const { project, backend, readable } of shown) {
      answer.fact(`${project.path} (id ${project.id}): ${readable ? backend : 'its errors are not readable'}`);
    }
    if (to < all.length) {
      answer.cut({ what: 'projects', shown: shown.length, total: all.length, more: `list_projects page=${page + 1}` });
    }
    return answer.finish({
      projects: shown.map(({ project, backend, readable }) => {
        const { id, path } = project;
        return { id, path, backend, readable };
      }),
    });
  },
});
