"""Background jobs and their schedules, by their names in the queue.

Each job imports its package when it first runs, because most processes run no jobs.
"""

from collections.abc import Mapping

from flask import current_app

from adoption.clocks import utc_now
from adoption.storage.queue import Job, start_job


def send_letters() -> None:
    from adoption.mail import outbox
    from adoption.mail.transports import transport_from_settings

    outbox.send_due(transport_from_settings(current_app.config["HOMEWARD"]))


def forget_letters() -> None:
    from adoption.mail import outbox
    from adoption.mail.transports import transport_from_settings

    outbox.delete_old_emails()
    transport_from_settings(current_app.config["HOMEWARD"]).discard_before(utc_now() - outbox.KEPT_FOR)


def forget_applicants() -> None:
    from datetime import timedelta

    from adoption.orders import personal_data_erasure, shelter_reminders

    keep = timedelta(days=current_app.config["HOMEWARD"].keep_applications_days)
    shelter_reminders.warn_of_erasure(keep)
    personal_data_erasure.erase_old_applications(keep)


def report_held() -> None:
    from adoption.orders import shelter_reminders

    shelter_reminders.send_held_digests()


def forget_changes() -> None:
    from adoption.animals import bulk_undo
    from adoption.changes import change_feed

    bulk_undo.forget_bulk_changes()
    change_feed.forget_gone_animals(utc_now())


def process_photos() -> None:
    from adoption.animals import photo_upload_job

    photo_upload_job.process_waiting()


def make_shared_photos() -> None:
    from adoption.animals import social_media_images

    social_media_images.make_requested_images()


def sweep_media() -> None:
    from adoption import media_sweep

    media_sweep.sweep_media()


def render_texts() -> None:
    from adoption.animals import text_rerendering
    from adoption.projects import introductions

    text_rerendering.render_stale_texts()
    introductions.render_stale_introductions()


def apply_visibility() -> None:
    from adoption.animals import visibility_job

    visibility_job.apply_all()


def read_imports() -> None:
    from adoption.imports import file_reader_job

    file_reader_job.read_waiting()


def run_imports() -> None:
    from adoption.imports import import_job

    import_job.run_waiting()


def forget_imports() -> None:
    from adoption.imports import file_storage, undo

    file_storage.forget_old_files()
    undo.forget_undo_records()


def forget_sign_ins() -> None:
    from adoption.accounts import invitations, sessions
    from adoption.audit import address_removal

    sessions.delete_old_sign_ins()
    invitations.delete_expired_invitations()
    address_removal.remove_old_addresses()


def forget_usage() -> None:
    from adoption.accounts.api_access import usage

    usage.delete_old_usage()


def tidy_search() -> None:
    from adoption.animals import search_index_merge

    search_index_merge.merge_index()


def check_domains() -> None:
    from adoption.domains import cname_target_and_dns_servers, email_digests, recheck_job

    recheck_job.run_checks(cname_target_and_dns_servers.current_domain_config())
    email_digests.send_news(utc_now())


def order_certificates() -> None:
    from adoption.certificates import authority_and_edge_setup, worker_loop

    if (known := authority_and_edge_setup.current_certificate_config()) and worker_loop.run_rounds(known):
        start_job("order_certificates")


def check_orders() -> None:
    from adoption.certificates import order_alerts

    if current_app.config["HOMEWARD"].orders_certificates:
        order_alerts.update_order_alerts(utc_now())


def check_edge() -> None:
    from functools import partial

    from adoption.certificates.authority_and_edge_setup import edge_address
    from adoption.certificates.edge_outages import update_edge_alert
    from adoption.certificates.tls_probe import certificate_shown

    settings = current_app.config["HOMEWARD"]
    if settings.edge:
        host = settings.platform_name
        connect = partial(certificate_shown, host, settings.edge)
        update_edge_alert(connect, edge_address(settings), utc_now())


def check_platform_certificate() -> None:
    from functools import partial

    from adoption.certificates.platform import expiry_alert
    from adoption.certificates.tls_probe import certificate_shown

    settings = current_app.config["HOMEWARD"]
    if settings.edge:
        host = settings.platform_name
        expiry_alert.check_expiry(host, partial(certificate_shown, edge=settings.edge), utc_now())


EACH_MINUTE: Mapping[str, str] = {}

# Two runs of a job can overlap. Each run claims only work that the other run has not claimed.
JOBS = {
    "send_letters": Job(send_letters, EACH_MINUTE),  # and started when an email is written
    "forget_sign_ins": Job(forget_sign_ins, {"hour": "3", "minute": "30"}),
    "forget_usage": Job(forget_usage, {"hour": "3", "minute": "25"}),
    "forget_letters": Job(forget_letters, {"hour": "3", "minute": "20"}),
    "tidy_search": Job(tidy_search, {"hour": "4", "minute": "10"}),
    "process_photos": Job(process_photos, EACH_MINUTE),  # and started with each uploaded photo
    "make_shared_photos": Job(make_shared_photos, EACH_MINUTE),  # and started by the first request for one
    "sweep_media": Job(sweep_media, {"hour": "4", "minute": "40"}),
    "render_texts": Job(render_texts, {"hour": "4", "minute": "0"}),
    "apply_visibility": Job(apply_visibility, EACH_MINUTE),  # and started by publishing a large site
    "read_imports": Job(read_imports, EACH_MINUTE),  # and started with each uploaded file
    "run_imports": Job(run_imports, EACH_MINUTE),  # and started with each import
    "check_domains": Job(check_domains, EACH_MINUTE),
    "order_certificates": Job(order_certificates, EACH_MINUTE),  # and started with each verification
    "check_orders": Job(check_orders, EACH_MINUTE),
    "check_edge": Job(check_edge, EACH_MINUTE),
    "check_platform_certificate": Job(check_platform_certificate, {"minute": "45"}),
    "forget_imports": Job(forget_imports, {"hour": "3", "minute": "50"}),
    "forget_changes": Job(forget_changes, {"minute": "35"}),
    "report_held": Job(report_held, {"minute": "20"}),
    "forget_applicants": Job(forget_applicants, {"hour": "3", "minute": "40"}),
}
