// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TestSmartAccount} from "devnet/TestSmartAccount.sol";
import {IPaymentSplitter} from "../src/IPaymentSplitter.sol";
import {PaymentDetails} from "../src/PaymentDetails.sol";
import {Vm} from "./ForgeTest.sol";
import {CarelessToken, MoodyToken, YesToken} from "./SplitTokens.sol";
import {SplitterTest} from "./SplitterTest.sol";

contract SplitPaymentWithAuthorizationTest is SplitterTest {
    uint256 private validAfter;
    uint256 private deadline;

    function setUp() public override {
        super.setUp();
        validAfter = block.timestamp - 1;
        deadline = block.timestamp + 30 minutes;
    }

    function test_anyoneBringsASignedPaymentAndThePayerNeedsNoCoins(
        address relayer,
        uint256 amount,
        uint256 share2,
        uint256 share3
    ) public {
        PaymentDetails memory details = withShares(usdcDetails(), share2, share3);
        details.amount = bound(amount, 1, 1e30);
        usdc.mint(payer, details.amount);
        vm.recordLogs();
        _bring(relayer, details, _sign(details, deadline));
        assertSplit(details, details.amount);
        assertBalance(details, payer, 0, "payer");
        Vm.Log[] memory logs = vm.getRecordedLogs();
        vm.assertEq(logs[logs.length - 1].topics[1], bytes32(uint256(uint160(payer))), "the payer is who signed");
    }

    function test_whoBringsItCanChangeNothing(uint256 what, uint256 seed) public {
        PaymentDetails memory signed = withShares(usdcDetails(), 150, 250);
        usdc.mint(payer, DUE);
        bytes memory signature = _sign(signed, deadline);
        PaymentDetails memory forged = withShares(usdcDetails(), 150, 250);
        what %= 8;
        uint256 usedDeadline = deadline;
        uint256 usedValidAfter = validAfter;
        address other = address(uint160(bound(seed, 1e6, type(uint160).max)));
        if (what == 0) forged.recipient1 = other;
        if (what == 1) forged.recipient2 = other;
        if (what == 2) forged.recipient3 = other;
        if (what == 3) (forged.recipient1Percentage, forged.recipient2Percentage) = (9_400, 350);
        if (what == 4) forged.amount = bound(seed, 1, DUE - 1);
        if (what == 5) forged.paymentId = "another";
        if (what == 6) usedDeadline += 1;
        if (what == 7) usedValidAfter -= 1;
        (uint8 v, bytes32 r, bytes32 s) = _parts(signature);
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        vm.prank(STRANGER);
        splitter.splitPaymentWithAuthorization(forged, payer, usedValidAfter, usedDeadline, v, r, s);
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        splitter.splitPaymentWithAuthorization(signed, other, validAfter, deadline, v, r, s);
        _bring(STRANGER, signed, signature);
        assertSplit(signed, DUE);
    }

    function test_aSmartAccountSignsWithMoreThan65Bytes(address relayer) public {
        TestSmartAccount account = new TestSmartAccount(payer);
        PaymentDetails memory details = usdcDetails();
        usdc.mint(address(account), DUE);
        bytes memory signature = _signFor(address(account), details, deadline);
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        splitter.splitPaymentWithSignature(details, payer, validAfter, deadline, signature);
        vm.prank(relayer);
        splitter.splitPaymentWithSignature(details, address(account), validAfter, deadline, signature);
        assertSplit(details, DUE);
        expectAlreadyUsed(details);
        splitter.splitPaymentWithSignature(details, address(account), validAfter, deadline, signature);
    }

    function test_aSignatureOf65BytesPaysByBothFormsButOnce() public {
        PaymentDetails memory details = usdcDetails();
        usdc.mint(payer, 2 * DUE);
        bytes memory signature = _sign(details, deadline);
        splitter.splitPaymentWithSignature(details, payer, validAfter, deadline, signature);
        assertSplit(details, DUE);
        expectAlreadyUsed(details);
        _bring(STRANGER, details, signature);
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.DeadlinePassed.selector, deadline, block.timestamp));
        splitter.splitPaymentWithSignature(details, payer, validAfter, deadline, signature);
    }

    function test_nobodyBringsItToTheTokenHimself() public {
        PaymentDetails memory details = usdcDetails();
        usdc.mint(payer, DUE);
        bytes memory signature = _sign(details, deadline);
        bytes32 nonce = splitter.termsHash(details);
        vm.expectRevert(bytes("FiatTokenV2: caller must be the payee"));
        vm.prank(STRANGER);
        usdc.receiveWithAuthorization(payer, address(splitter), DUE, validAfter, deadline, nonce, signature);
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(payer, address(splitter), DUE, validAfter, deadline, nonce, signature);
        _bring(STRANGER, details, signature);
        assertSplit(details, DUE);
    }

    function test_itPaysOnceByWhicheverDoor() public {
        PaymentDetails memory details = fund(usdcDetails());
        usdc.mint(payer, DUE);
        bytes memory signature = _sign(details, deadline);
        pay(details);
        expectAlreadyUsed(details);
        _bring(STRANGER, details, signature);
        assertBalance(details, payer, DUE, "payer: charged once");
    }

    function test_aCanceledAuthorizationPaysNothing() public {
        PaymentDetails memory details = usdcDetails();
        usdc.mint(payer, DUE);
        bytes memory signature = _sign(details, deadline);
        bytes32 nonce = splitter.termsHash(details);
        bytes32 structHash = keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), payer, nonce));
        usdc.cancelAuthorization(payer, nonce, _signature(structHash));
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        _bring(STRANGER, details, signature);
    }

    function test_anExpiredAuthorizationPaysNothing() public {
        PaymentDetails memory details = usdcDetails();
        usdc.mint(payer, DUE);
        bytes memory signature = _sign(details, deadline);
        vm.warp(deadline + 1);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.DeadlinePassed.selector, deadline, block.timestamp));
        _bring(STRANGER, details, signature);
        vm.warp(deadline);
        vm.expectRevert(bytes("FiatTokenV2: authorization is expired"));
        _bring(STRANGER, details, signature);
        vm.warp(deadline - 1);
        _bring(STRANGER, details, signature);
        assertSplit(details, DUE);
    }

    function test_aBlacklistedPlatformsShareIsParked() public {
        PaymentDetails memory details = usdcDetails();
        usdc.mint(payer, DUE);
        usdc.blacklist(PLATFORM);
        _bring(STRANGER, details, _sign(details, deadline));
        assertBalance(details, MERCHANT, DUE - FEE, "merchant");
        assertBalance(details, address(splitter), FEE, "splitter");
        vm.assertEq(splitter.parked(address(usdc), PLATFORM), FEE, "parked");
    }

    function test_aBlacklistedMerchantRevertsEverything() public {
        PaymentDetails memory details = usdcDetails();
        usdc.mint(payer, DUE);
        usdc.blacklist(MERCHANT);
        bytes memory signature = _sign(details, deadline);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        _bring(STRANGER, details, signature);
        usdc.unBlacklist(MERCHANT);
        _bring(STRANGER, details, signature);
        assertSplit(details, DUE);
    }

    function test_noGasLimitOfARelayerMakesAShareParked(uint256 gasLimit) public {
        PaymentDetails memory details = withShares(usdcDetails(), 150, 250);
        usdc.mint(payer, DUE);
        (uint8 v, bytes32 r, bytes32 s) = _parts(_sign(details, deadline));
        bytes memory call =
            abi.encodeCall(splitter.splitPaymentWithAuthorization, (details, payer, validAfter, deadline, v, r, s));
        vm.prank(STRANGER);
        (bool isPaid,) = address(splitter).call{gas: bound(gasLimit, 60_000, 500_000)}(call);
        if (isPaid) assertSplit(details, DUE);
        else assertBalance(details, payer, DUE, "payer");
        assertBalance(details, address(splitter), 0, "splitter");
    }

    function test_atATokenThatBelievesEveryoneParkedSharesAreSafe(uint8 how) public {
        CarelessToken token = new CarelessToken();
        PaymentDetails memory details = fund(detailsOf(address(token)));
        token.refuse(PLATFORM, MoodyToken.Refusal.Reverts);
        pay(details);
        assertBalance(details, address(splitter), FEE, "parked");

        token.mint(STRANGER, DUE);
        details.paymentId = "another";
        // It pays nothing in, and the recipients would be paid from what is parked.
        token.set(true, 0);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.NothingReceived.selector, token));
        _bringFrom(STRANGER, details);
        // It takes more out than was paid in.
        token.set(false, 100);
        vm.expectRevert(
            abi.encodeWithSelector(IPaymentSplitter.ParkedMoved.selector, token, 2 * FEE, 2 * FEE - (DUE - FEE) / 100)
        );
        _bringFrom(STRANGER, details);
        // It pays out, denies it, and would have the share parked once more.
        token.set(false, 0);
        token.refuse(PLATFORM, MoodyToken.Refusal.MovesAndAnswersFalse);
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.ParkedMoved.selector, token, 2 * FEE, FEE));
        _bringFrom(STRANGER, details);
        (details.recipient3, details.recipient3Percentage) = (PLATFORM, 250);
        details.recipient1Percentage -= 250;
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.ParkedMoved.selector, token, 2 * FEE + 2_500_000, FEE));
        _bringFrom(STRANGER, details);
        details.recipient3Percentage = 0;
        details.recipient1Percentage += 250;
        token.refuse(PLATFORM, MoodyToken.Refusal(how % 2));
        _bringFrom(STRANGER, details);
        vm.assertEq(splitter.parked(address(token), PLATFORM), 2 * FEE, "parked");
        assertBalance(details, address(splitter), 2 * FEE, "splitter");
    }

    function test_aTokenWithoutAuthorizationsPaysNothing() public {
        fund(detailsOf(address(usdt)));
        vm.expectRevert();
        _bringFrom(payer, detailsOf(address(usdt)));
        address token = address(new YesToken());
        vm.expectRevert(abi.encodeWithSelector(IPaymentSplitter.NothingReceived.selector, token));
        _bringFrom(payer, detailsOf(token));
    }

    function _bring(address relayer, PaymentDetails memory details, bytes memory signature) private {
        (uint8 v, bytes32 r, bytes32 s) = _parts(signature);
        vm.prank(relayer);
        splitter.splitPaymentWithAuthorization(details, payer, validAfter, deadline, v, r, s);
    }

    /// @dev Without a signature.
    function _bringFrom(address from, PaymentDetails memory details) private {
        splitter.splitPaymentWithAuthorization(details, from, validAfter, deadline, 27, 0, 0);
    }

    function _sign(PaymentDetails memory details, uint256 validBefore) private view returns (bytes memory) {
        return _signAs(payer, details, validBefore);
    }

    /// @dev As the test's smart account wants it: its address, then its owner's signature.
    function _signFor(address account, PaymentDetails memory details, uint256 validBefore)
        private
        view
        returns (bytes memory)
    {
        return abi.encodePacked(account, _signAs(account, details, validBefore));
    }

    function _signAs(address from, PaymentDetails memory details, uint256 validBefore)
        private
        view
        returns (bytes memory)
    {
        bytes32 nonce = splitter.termsHash(details);
        return _signature(
            keccak256(
                abi.encode(
                    usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(),
                    from,
                    address(splitter),
                    details.amount,
                    validAfter,
                    validBefore,
                    nonce
                )
            )
        );
    }

    function _signature(bytes32 structHash) private view returns (bytes memory) {
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(PAYER_KEY, digest);
        return abi.encodePacked(r, s, v);
    }

    function _parts(bytes memory signature) private pure returns (uint8 v, bytes32 r, bytes32 s) {
        assembly ("memory-safe") {
            r := mload(add(signature, 0x20))
            s := mload(add(signature, 0x40))
            v := byte(0, mload(add(signature, 0x60)))
        }
    }
}
