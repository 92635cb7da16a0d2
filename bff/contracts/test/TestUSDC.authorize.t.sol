// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DepositTest} from "./DepositTest.sol";

contract TestUSDCTest is DepositTest {
    uint256 private constant KEY = 0xC0FFEE;
    bytes32 private constant NONCE = keccak256("nonce");

    address private holder;

    function setUp() public override {
        super.setUp();
        holder = vm.addr(KEY);
        usdc.mint(holder, 100e6);
    }

    function test_itsDomainIsThatOfUsdc() public view {
        bytes32 typeHash =
            keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
        bytes32 expected =
            keccak256(abi.encode(typeHash, keccak256("USD Coin"), keccak256("2"), block.chainid, address(usdc)));
        vm.assertTrue(usdc.DOMAIN_SEPARATOR() == expected, "domain");
        vm.assertEq(usdc.decimals(), 6, "decimals");
    }

    function test_aPermitApprovesOnce() public {
        uint256 deadline = block.timestamp + 1;
        bytes32 structHash =
            keccak256(abi.encode(usdc.PERMIT_TYPEHASH(), holder, STRANGER, 7, usdc.nonces(holder), deadline));
        (uint8 v, bytes32 r, bytes32 s) = _sign(structHash);
        usdc.permit(holder, STRANGER, 7, deadline, v, r, s);
        vm.assertEq(usdc.allowance(holder, STRANGER), 7, "allowance");
        vm.expectRevert(bytes("EIP2612: invalid signature"));
        usdc.permit(holder, STRANGER, 7, deadline, v, r, s);
        vm.warp(deadline + 1);
        vm.expectRevert(bytes("FiatTokenV2: permit is expired"));
        usdc.permit(holder, STRANGER, 7, deadline, v, r, s);
    }

    function test_anAuthorizationTransfersOnceWithinItsTime() public {
        (uint8 v, bytes32 r, bytes32 s) = _authorize(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH());
        (uint256 after_, uint256 before_) = _validity();
        vm.warp(after_);
        vm.expectRevert(bytes("FiatTokenV2: authorization is not yet valid"));
        usdc.transferWithAuthorization(holder, STRANGER, 7, after_, before_, NONCE, v, r, s);
        vm.warp(before_);
        vm.expectRevert(bytes("FiatTokenV2: authorization is expired"));
        usdc.transferWithAuthorization(holder, STRANGER, 7, after_, before_, NONCE, v, r, s);
        vm.warp(before_ - 1);
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(holder, STRANGER, 8, after_, before_, NONCE, v, r, s);
        usdc.transferWithAuthorization(holder, STRANGER, 7, after_, before_, NONCE, v, r, s);
        assertUsdc(STRANGER, 7, "stranger");
        vm.assertTrue(usdc.authorizationState(holder, NONCE), "used");
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        usdc.transferWithAuthorization(holder, STRANGER, 7, after_, before_, NONCE, abi.encodePacked(r, s, v));
    }

    function test_onlyThePayeeBringsAReceiveAuthorization() public {
        (uint8 v, bytes32 r, bytes32 s) = _authorize(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH());
        (uint256 after_, uint256 before_) = _validity();
        vm.warp(before_ - 1);
        vm.expectRevert(bytes("FiatTokenV2: caller must be the payee"));
        usdc.receiveWithAuthorization(holder, STRANGER, 7, after_, before_, NONCE, v, r, s);
        vm.prank(STRANGER);
        usdc.receiveWithAuthorization(holder, STRANGER, 7, after_, before_, NONCE, v, r, s);
        assertUsdc(STRANGER, 7, "payee");
    }

    function test_aCanceledAuthorizationIsWorthless() public {
        (uint8 v, bytes32 r, bytes32 s) =
            _sign(keccak256(abi.encode(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), holder, NONCE)));
        usdc.cancelAuthorization(holder, NONCE, v, r, s);
        (v, r, s) = _authorize(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH());
        (uint256 after_, uint256 before_) = _validity();
        vm.warp(before_ - 1);
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        usdc.transferWithAuthorization(holder, STRANGER, 7, after_, before_, NONCE, v, r, s);
    }

    function test_aPausedTokenDoesNotMove() public {
        usdc.pause();
        vm.expectRevert();
        usdc.mint(STRANGER, 1);
        usdc.unpause();
        usdc.mint(STRANGER, 1);
    }

    function _validity() private pure returns (uint256 validAfter, uint256 validBefore) {
        return (1_800_000_000, 1_800_003_600);
    }

    function _authorize(bytes32 typeHash) private view returns (uint8, bytes32, bytes32) {
        (uint256 validAfter, uint256 validBefore) = _validity();
        return _sign(keccak256(abi.encode(typeHash, holder, STRANGER, 7, validAfter, validBefore, NONCE)));
    }

    function _sign(bytes32 structHash) private view returns (uint8, bytes32, bytes32) {
        return vm.sign(KEY, keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), structHash)));
    }
}
