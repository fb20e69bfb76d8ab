"""Imports every module of a client that was made of the OpenAPI document, and works with errors by it.

Arguments: address, token and id of a project. Prints what the client read and changed as JSON.
"""

import importlib
import json
import pkgutil
import sys

import errgate_client
from errgate_client import AuthenticatedClient

address, token, project = sys.argv[1:]
modules = [found.name for found in pkgutil.walk_packages(errgate_client.__path__, "errgate_client.")]
for name in modules:
    importlib.import_module(name)

from errgate_client.api.api import change_errors, get_error, list_errors
from errgate_client.models import BulkAction, BulkActionAction, BulkActionStatus

client = AuthenticatedClient(address, token, prefix="", auth_header_name="PRIVATE-TOKEN", raise_on_unexpected_status=True)
listed = list_errors.sync(project, client=client)
resolved = BulkAction(action=BulkActionAction.STATUS, ids=[listed[0].id], status=BulkActionStatus.RESOLVED)
changed = change_errors.sync(project, client=client, body=resolved)
detail = get_error.sync(project, listed[0].id, client=client)
operations = [name for name in modules if name.startswith("errgate_client.api.") and name.count(".") == 3]
print(
    json.dumps(
        {
            "operations": len(operations),
            "titles": [error.title for error in listed],
            "details": type(listed[0].status_details).__name__,
            "changed": changed.changed,
            "status": detail.status,
        }
    )
)
