"""Django REST framework as in its documentation: models, serializer, generic view, throttles."""

import hashlib
import hmac
import os
import time
from typing import Any

import django
from django.conf import settings

settings.configure(
    DEBUG=False,
    SECRET_KEY="of no use to anybody",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    MIDDLEWARE=["django.middleware.security.SecurityMiddleware", "django.middleware.common.CommonMiddleware"],
    INSTALLED_APPS=["rest_framework"],
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ["PEER_DATABASE"],
            "CONN_MAX_AGE": None,
        }
    },
    USE_TZ=True,
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_THROTTLE_RATES": {"minute": "10000000/minute", "day": "1000000000/day"},
        "UNAUTHENTICATED_USER": None,
        "PAGE_SIZE": 20,
    },
)
django.setup()

from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import (  # noqa: E402
    authentication,
    exceptions,
    generics,
    pagination,
    permissions,
    serializers,
    throttling,
)


class Project(models.Model):
    account_id = models.IntegerField()

    class Meta:
        app_label, db_table, managed = "peer", "projects", False


class ApiKey(models.Model):
    project = models.ForeignKey(Project, models.CASCADE)
    public_id = models.CharField(max_length=20)
    secret_hash = models.CharField(max_length=64)
    scopes = models.CharField(max_length=100)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        app_label, db_table, managed = "peer", "api_keys", False

    is_authenticated = True


class Animal(models.Model):
    project = models.ForeignKey(Project, models.CASCADE)
    category_id = models.IntegerField()
    name = models.CharField(max_length=200)
    status = models.CharField(max_length=20)
    listed = models.BooleanField()

    class Meta:
        app_label, db_table, managed = "peer", "animals", False


class PetSerializer(serializers.ModelSerializer):
    categoryId = serializers.IntegerField(source="category_id")  # noqa: N815 - as the specification names it

    class Meta:
        model = Animal
        fields = ("id", "name", "categoryId", "status")


class KeyAuthentication(authentication.BaseAuthentication):
    def authenticate(self, request: Any) -> tuple[ApiKey, ApiKey]:
        _, public_id, secret = request.headers["Authorization"].removeprefix("Bearer ").split("_")
        key = ApiKey.objects.select_related("project").filter(public_id=public_id).first()
        digest = hashlib.sha256(secret[:-6].encode()).hexdigest()
        if key is None or key.revoked_at or not hmac.compare_digest(key.secret_hash, digest):
            raise exceptions.AuthenticationFailed("A valid API key is needed.")
        return key, key


class MayRead(permissions.BasePermission):
    def has_permission(self, request: Any, view: Any) -> bool:
        return "pets:read" in request.auth.scopes.split()


class AccountThrottle(throttling.SimpleRateThrottle):
    def get_cache_key(self, request: Any, view: Any) -> str:
        # The framework stores the time of every request in the window, and copies the list for each request.
        # A window of one second keeps the list short, so that the peer's result does not depend on the
        # request rate.
        ident = f"{request.auth.project.account_id}-{int(time.time())}"
        return str(self.cache_format % {"scope": self.scope, "ident": ident})


class MinuteThrottle(AccountThrottle):
    scope = "minute"


class DayThrottle(AccountThrottle):
    scope = "day"


class ById(pagination.CursorPagination):
    """Keyset pagination, like ours. The framework's usual page numbers would count all rows for each page."""

    ordering = "id"


class PetList(generics.ListAPIView):
    serializer_class = PetSerializer
    authentication_classes = (KeyAuthentication,)
    permission_classes = (MayRead,)
    throttle_classes = (MinuteThrottle, DayThrottle)
    pagination_class = ById

    def get_queryset(self) -> Any:
        animals = Animal.objects.filter(project_id=self.request.auth.project_id, listed=True)
        status = self.request.query_params.get("status")
        return animals.filter(status=status) if status else animals


urlpatterns = [path("v1/pets", PetList.as_view())]
app = get_wsgi_application()
